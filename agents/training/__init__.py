"""What trainings share."""
