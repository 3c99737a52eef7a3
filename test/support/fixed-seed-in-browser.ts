import fc from 'fast-check';

fc.configureGlobal({ seed: (globalThis as unknown as { readonly PROPERTY_SEED: number }).PROPERTY_SEED });
