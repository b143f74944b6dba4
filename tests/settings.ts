import { inject } from 'vitest';

// Domain functions that a test calls directly work on the data of the running service.
Object.assign(process.env, inject('settings'));
