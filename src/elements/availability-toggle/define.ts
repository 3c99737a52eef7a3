import { defineOnce } from '../shared/define-once.js';
import { AvailabilityToggle } from './availability-toggle.js';

defineOnce('availability-toggle', AvailabilityToggle);

export { AvailabilityToggle };
