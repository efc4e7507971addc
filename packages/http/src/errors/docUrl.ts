import type { WireErrorId } from "./wireErrors.ts"

/** The page of the reference with a section for every error id. */
export const ERRORS_PATH = "/docs/errors"

/** The URL is relative to the service's URL, because an error may occur before the service knows its URL. */
export const docUrl = (id: WireErrorId): string => `${ERRORS_PATH}#${id}`
