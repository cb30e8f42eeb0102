"""What is counted in an answer, and whether it adds up."""
