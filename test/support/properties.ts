import fc from 'fast-check';
import { freshSeed } from './seed.ts';

// All properties of a run start from one seed, which is printed when one fails.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: freshSeed() });

export default fc;
