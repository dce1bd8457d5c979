"""What a page investigates beyond estimates and losses: a file for each question, named as the page or its section."""
