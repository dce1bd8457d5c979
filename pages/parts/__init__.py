"""What pages share: frame, sidebar, controls, presets, charts, links, downloads; and a folder of parts for each page."""
