"""What pages share: the workbench in the sidebar, controls bound to the URL, caches, charts, links and downloads."""
