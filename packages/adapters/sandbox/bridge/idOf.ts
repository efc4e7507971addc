import { randomBytes } from "node:crypto"

export type Fields = Readonly<Record<string, unknown>>

/** Creates an id in Bridge's format. */
export const idOf = (prefix: string): string => `${prefix}_${randomBytes(16).toString("hex")}`
