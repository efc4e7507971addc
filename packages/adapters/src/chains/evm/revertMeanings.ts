/** Solidity's `Panic(uint256)` codes. */
const panics: ReadonlyMap<bigint, string> = new Map([
  [0x00n, "generic compiler panic"],
  [0x01n, "an assertion failed"],
  [0x11n, "arithmetic overflow or underflow"],
  [0x12n, "division or modulo by zero"],
  [0x21n, "conversion to an enum value that does not exist"],
  [0x22n, "a storage byte array is encoded wrongly"],
  [0x31n, "pop on an empty array"],
  [0x32n, "array index out of bounds"],
  [0x41n, "out of memory"],
  [0x51n, "call of an uninitialized internal function"]
])

/** Meanings of the EntryPoint's codes (ERC-4337 0.7 and 0.8). */
const entryPointCodes: ReadonlyMap<string, string> = new Map([
  ["AA10", "the account is already deployed"],
  ["AA13", "the account's factory failed, or ran out of gas"],
  ["AA14", "the factory creates another account than the sender"],
  ["AA15", "the factory created no account"],
  ["AA20", "the account has no code, and the operation does not deploy it"],
  ["AA21", "the account's native tokens and deposit are less than the maximum gas fee"],
  ["AA22", "the owner's signature is expired or not valid yet"],
  ["AA23", "the account rejected the operation"],
  ["AA24", "the signature is not the owner's"],
  ["AA25", "the nonce is already used, or an earlier nonce is not used yet"],
  ["AA26", "the validation takes more gas than its limit"],
  ["AA30", "the paymaster has no code"],
  ["AA31", "the paymaster's deposit does not cover the gas"],
  ["AA32", "the paymaster's signature is expired or not valid yet"],
  ["AA33", "the paymaster rejected the operation"],
  ["AA34", "the paymaster's signature is wrong"],
  ["AA36", "the paymaster's validation takes more gas than its limit"],
  ["AA50", "the paymaster could not charge its fee"],
  ["AA51", "the gas cost more than the prefund"],
  ["AA95", "the bundle had insufficient gas"]
])

/**
 * Meanings of the revert reasons of Uniswap V2's contracts and forks, without the contract's name: `K` for `UniswapV2:
 * K`.
 */
const v2Messages: ReadonlyMap<string, string> = new Map([
  ["K", "the payment to the pool was too small"],
  ["EXPIRED", "the deadline has passed"],
  ["INSUFFICIENT_OUTPUT_AMOUNT", "the output of the swap is below the requested minimum"],
  ["INSUFFICIENT_INPUT_AMOUNT", "the pool received no payment"],
  ["INSUFFICIENT_LIQUIDITY", "the pool has too little liquidity"],
  ["INVALID_PATH", "the path contains an invalid pool"],
  ["LOCKED", "the pool is in use"],
  ["TRANSFER_FAILED", "the token could not be sent"],
  ["TRANSFER_FROM_FAILED", "the token transfer failed: balance or allowance too low"]
])

/**
 * Meanings of abbreviated `require` messages of Uniswap V3 (core, TransferHelper and position manager) and Safe, and of
 * the error numbers of Aave V3.0 to V3.3.
 */
const abbreviations: ReadonlyMap<string, string> = new Map([
  ["STF", "the token transfer from the wallet failed: balance or allowance too low"],
  ["ST", "the token could not be sent"],
  ["SA", "the token could not be approved"],
  ["STE", "the native token could not be sent"],
  ["TF", "the token could not be sent"],
  ["AS", "the amount to swap is zero"],
  ["IIA", "the payment to the pool was too small"],
  ["SPL", "the price limit is already passed"],
  ["LOK", "the pool is locked or not initialized"],
  ["TLU", "the lower tick is not below the upper tick"],
  ["TLM", "the lower tick is too low"],
  ["TUM", "the upper tick is too high"],
  ["LO", "the liquidity exceeds the maximum of a tick"],
  ["Price slippage check", "the price has moved by more than the slippage"],
  ["Not approved", "the position NFT does not belong to the wallet"],
  ["Not cleared", "the position NFT is not empty"],
  ["Invalid token ID", "the position NFT does not exist"],
  ["M0", "the payment of token0 to the pool was too small"],
  ["M1", "the payment of token1 to the pool was too small"],
  ["GS104", "only an enabled module of the Safe may call this function"],
  ["26", "the amount must be greater than zero"],
  ["27", "the reserve is inactive"],
  ["28", "the reserve is frozen"],
  ["29", "the reserve is paused"],
  ["30", "borrowing is not enabled"],
  ["32", "the withdrawal is larger than the supplied balance"],
  ["34", "there is no collateral"],
  ["35", "the health factor is below the liquidation threshold"],
  ["36", "the collateral does not cover the loan"],
  ["39", "there is no debt of this type"],
  ["43", "the supplied balance is zero"],
  ["50", "the borrow cap is exceeded"],
  ["51", "the supply cap is exceeded"],
  ["53", "the debt ceiling of isolated collateral is exceeded"],
  ["57", "the loan-to-value ratio of the collateral does not allow it"],
  ["58", "the token is not in the wallet's eMode category"],
  ["59", "the chain's sequencer was down recently"],
  ["60", "the token can't be borrowed against isolated collateral"],
  ["62", "the collateral is isolated, or its loan-to-value ratio is zero"],
  ["82", "the token is not listed"],
  ["89", "a siloed token can't be borrowed together with another token"]
])

/** The error numbers that the custom errors of Aave V3.4 and later replace. */
const aaveErrors: ReadonlyMap<string, string> = new Map([
  ["ReserveInactive", "27"],
  ["ReserveFrozen", "28"],
  ["ReservePaused", "29"],
  ["BorrowingNotEnabled", "30"],
  ["NotEnoughAvailableUserBalance", "32"],
  ["CollateralBalanceIsZero", "34"],
  ["HealthFactorLowerThanLiquidationThreshold", "35"],
  ["CollateralCannotCoverNewBorrow", "36"],
  ["NoDebtOfSelectedType", "39"],
  ["UnderlyingBalanceZero", "43"],
  ["BorrowCapExceeded", "50"],
  ["SupplyCapExceeded", "51"],
  ["DebtCeilingExceeded", "53"],
  ["LtvValidationFailed", "57"],
  ["InconsistentEModeCategory", "58"],
  ["NotBorrowableInEMode", "58"],
  ["PriceOracleSentinelCheckFailed", "59"],
  ["AssetNotBorrowableInIsolation", "60"],
  ["UserInIsolationModeOrLtvZero", "62"],
  ["AssetNotListed", "82"],
  ["SiloedBorrowingViolation", "89"]
])

/** Formats a custom error in Solidity's notation, followed by its meaning if it is known. */
export const errorMeaning = (name: string, signature: string): string => {
  const meaning = abbreviations.get(aaveErrors.get(name) ?? "")
  return meaning === undefined ? signature : `${signature}: ${meaning}`
}

export const panicMeaning = (code: bigint): string =>
  `Panic 0x${code.toString(16).padStart(2, "0")}: ${panics.get(code) ?? "unknown code"}`

/** Returns the message, followed by its meaning if it is an abbreviation. */
export const messageMeaning = (message: string): string => {
  if (message === "") return "Reverted without a reason"
  const meaning = abbreviations.get(message) ?? v2Messages.get(/^\w+: (\w+)$/u.exec(message)?.[1] ?? "")
  return meaning === undefined ? message : `${message}: ${meaning}`
}

/** Returns the EntryPoint's message, followed by the meaning of its code. */
export const codeMeaning = (message: string): string => {
  const meaning = entryPointCodes.get(message.slice(0, 4))
  return meaning === undefined ? message : `${message}: ${meaning}`
}
