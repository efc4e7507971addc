import { endpoints, type TextInput } from "../endpoints/index.ts"
import type { CallEndpoint } from "./requests.ts"

/** The catalog: what requests can name. */
export const catalogOf = (call: CallEndpoint) => {
  const chains = call(endpoints.chainList)
  const providers = call(endpoints.providerList)
  const tokens = call(endpoints.tokenSearch)
  return {
    chains: {
      /** Every chain that Countersign knows. As `GET /api/v1/crypto/chains`. */
      list: () => chains({})
    },
    providers: {
      /** The swap providers, and how they perform. As `GET /api/v1/crypto/providers`. */
      list: () => providers({})
    },
    tokens: {
      /** The tokens of the chains that were opened, by text and chain. As `GET /api/v1/crypto/tokens`. */
      list: (query: TextInput<NonNullable<typeof endpoints.tokenSearch.query>> = {}) => tokens({ query })
    }
  }
}
