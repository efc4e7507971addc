import { getAddress } from "viem"

/**
 * Whether an address in upper and lower case carries the checksum of EIP-55. Without it the address was probably
 * mistyped.
 */
export const hasValidChecksum = (mixedCase: string): boolean => getAddress(mixedCase.toLowerCase()) === mixedCase
