import { NAME } from "./LiFiApi.ts"

/** How LI.FI is called as a provider. */
export const provided = { id: "LIFI", name: NAME }
