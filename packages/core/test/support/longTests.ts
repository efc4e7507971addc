/** Returns the first value in `npm test`, and the second one with LONG_TESTS=1. */
export const shortOrLong = <A>(short: A, long: A): A => (process.env.LONG_TESTS === "1" ? long : short)

/**
 * Returns the seed of a random test: the environment variable if it is set. Otherwise a fixed seed in `npm test`, and a
 * new one with LONG_TESTS=1.
 */
export const seedOf = (variable: string): number =>
  Number(process.env[variable] ?? shortOrLong(20, Date.now() % 1_000_000))
