import { getAddress } from "viem"

/**
 * Whether a mixed-case address has a valid EIP-55 checksum. If the checksum is invalid, the address was probably
 * mistyped.
 */
export const hasValidChecksum = (mixedCase: string): boolean => getAddress(mixedCase.toLowerCase()) === mixedCase
