"""What lies in the data folder: the library of solutions, uploaded games, records of jobs."""
