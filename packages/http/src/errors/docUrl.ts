import type { WireErrorId } from "./wireErrors.ts"

/** Where the reference explains every error id, in a place of its own each. */
export const ERRORS_PATH = "/docs/errors"

/** Relative to where the client reaches the service: a refusal may come before the service knows that. */
export const docUrl = (id: WireErrorId): string => `${ERRORS_PATH}#${id}`
