"""Parts that trainings share."""
