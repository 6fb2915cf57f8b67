"""What the API answers: types that several features, or jobs and the store, share."""
