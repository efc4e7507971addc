import { NAME } from "./LiFiApi.ts"

/** LI.FI's id and name as a provider. */
export const provided = { id: "LIFI", name: NAME }
