import { NAME } from "./LiFiApi.ts"

/** LI.FI's provider id and display name. */
export const lifiProvider = { id: "LIFI", name: NAME }
