"""Figures: a table in, a Plotly figure out. They compute nothing that a summary could, and know no Streamlit."""
