import { randomBytes } from "node:crypto"

/** Creates an id in BlindPay's format. */
export const idOf = (prefix: string): string => `${prefix}_${randomBytes(6).toString("hex")}`
