import type { WireErrorId } from "./wireErrors.ts"

/** The page of the API reference that has a section for every error id. */
export const ERRORS_PATH = "/docs/errors"

/** Returns a URL relative to the service, because an error may occur before the service has determined its base URL. */
export const docUrl = (id: WireErrorId): string => `${ERRORS_PATH}#${id}`
