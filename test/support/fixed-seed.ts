import fc from 'fast-check';
import { SEED_VARIABLE, USUAL_SEED } from './try-property.js';

fc.configureGlobal({ seed: Number(process.env[SEED_VARIABLE] ?? USUAL_SEED) });
