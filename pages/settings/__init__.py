"""Settings: what a setting is, those that pages share, how typed text is read, and the URL that holds them all."""
