/** What a random test does: the first in `npm test`, the second in its long form, which LONG_TESTS=1 asks for. */
export const shortOrLong = <A>(short: A, long: A): A => (process.env.LONG_TESTS === "1" ? long : short)
