"""A classroom: a teacher leads people through steps, each on their own device, and sees what they answer."""
