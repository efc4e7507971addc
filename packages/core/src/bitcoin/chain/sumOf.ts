/** Returns the total value of UTXOs or outputs, in satoshis. */
export const sumOf = (values: ReadonlyArray<{ readonly value: bigint }>): bigint =>
  values.reduce((sum, { value }) => sum + value, 0n)
