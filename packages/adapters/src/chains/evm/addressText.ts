import { getAddress } from "viem"

/** Whether a mixed-case address has a valid EIP-55 checksum. An address with an invalid one was probably mistyped. */
export const hasValidChecksum = (mixedCase: string): boolean => getAddress(mixedCase.toLowerCase()) === mixedCase
