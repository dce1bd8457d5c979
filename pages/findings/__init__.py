"""Findings: a table in, sentences out, computed from the numbers that a page shows. They know no Streamlit."""
