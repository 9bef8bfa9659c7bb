import { installClock } from './clock.ts';

/** Importing this file first moves `Date` before any other module of the process can take hold of it. */
export const processClock = installClock();
