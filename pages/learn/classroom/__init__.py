"""A classroom: a teacher leads people through steps, each on an own device, and sees what they answer."""
