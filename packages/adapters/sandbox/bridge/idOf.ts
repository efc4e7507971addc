import { randomBytes } from "node:crypto"

export type Fields = Readonly<Record<string, unknown>>

/** An id in the form of Bridge's. */
export const idOf = (prefix: string): string => `${prefix}_${randomBytes(16).toString("hex")}`
