/** What a random test does: the first in `npm test`, the second in its long form, which LONG_TESTS=1 asks for. */
export const shortOrLong = <A>(short: A, long: A): A => (process.env.LONG_TESTS === "1" ? long : short)

/** The seed of a random test: that of the environment variable, else a fixed one in `npm test` and a new one in the long form. */
export const seedOf = (variable: string): number =>
  Number(process.env[variable] ?? shortOrLong(20, Date.now() % 1_000_000))
