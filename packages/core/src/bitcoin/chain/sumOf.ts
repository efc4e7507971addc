/** The value of coins or outputs together, in satoshis. */
export const sumOf = (values: ReadonlyArray<{ readonly value: bigint }>): bigint =>
  values.reduce((sum, { value }) => sum + value, 0n)
