import { randomBytes } from "node:crypto"

/** Creates an id in Bridge's format. */
export const idOf = (prefix: string): string => `${prefix}_${randomBytes(16).toString("hex")}`
