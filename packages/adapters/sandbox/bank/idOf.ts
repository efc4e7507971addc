import { randomBytes } from "node:crypto"

/** An id in the form of BlindPay's. */
export const idOf = (prefix: string): string => `${prefix}_${randomBytes(6).toString("hex")}`
