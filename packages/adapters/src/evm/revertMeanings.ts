/** Solidity's `Panic(uint256)` codes. */
const panics: ReadonlyMap<bigint, string> = new Map([
  [0x00n, "generic panic of the compiler"],
  [0x01n, "an assertion failed"],
  [0x11n, "arithmetic overflow or underflow"],
  [0x12n, "division or modulo by zero"],
  [0x21n, "conversion to an enum value that does not exist"],
  [0x22n, "a storage byte array is encoded wrongly"],
  [0x31n, "pop on an empty array"],
  [0x32n, "array index out of bounds"],
  [0x41n, "out of memory"],
  [0x51n, "call of an uninitialised internal function"]
])

/** Abbreviated `require` messages: Uniswap V3 (core and TransferHelper) and the error numbers of Aave V3.0 to V3.3. */
const abbreviations: ReadonlyMap<string, string> = new Map([
  ["STF", "the token could not be taken from the wallet: balance or allowance too low"],
  ["ST", "the token could not be sent"],
  ["SA", "the token could not be approved"],
  ["STE", "the coin could not be sent"],
  ["TF", "the token could not be sent"],
  ["AS", "the amount to swap is zero"],
  ["IIA", "the pool was paid too little"],
  ["SPL", "the price limit is already passed"],
  ["LOK", "the pool is locked or not initialised"],
  ["TLU", "the lower tick is not below the upper tick"],
  ["TLM", "the lower tick is too low"],
  ["TUM", "the upper tick is too high"],
  ["M0", "too little of token0 was paid in"],
  ["M1", "too little of token1 was paid in"],
  ["26", "the amount must be greater than zero"],
  ["27", "the reserve is inactive"],
  ["28", "the reserve is frozen"],
  ["29", "the reserve is paused"],
  ["30", "borrowing is not enabled"],
  ["32", "more than the supplied balance is withdrawn"],
  ["34", "there is no collateral"],
  ["35", "the health factor is below the liquidation threshold"],
  ["36", "the collateral does not cover the borrow"],
  ["39", "there is no debt of this kind"],
  ["43", "the supplied balance is zero"],
  ["50", "the borrow cap is exceeded"],
  ["51", "the supply cap is exceeded"],
  ["57", "the loan-to-value ratio of the collateral forbids it"]
])

export const panicMeaning = (code: bigint): string =>
  `Panic 0x${code.toString(16).padStart(2, "0")}: ${panics.get(code) ?? "unknown code"}`

/** The message, with its meaning behind it where it is an abbreviation. */
export const messageMeaning = (message: string): string => {
  if (message === "") return "Reverted without a reason"
  const meaning = abbreviations.get(message)
  return meaning === undefined ? message : `${message}: ${meaning}`
}
