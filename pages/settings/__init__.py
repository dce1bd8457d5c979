"""Settings: what a setting is, the shared settings, how typed text is read, and the URL that holds all settings."""
