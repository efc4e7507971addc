import { endpoints, type TextInput } from "../endpoints/index.ts"
import type { MetadataPatchBody, RegisterBody } from "../wire/index.ts"
import type { CallEndpoint } from "./requests.ts"

/** The wallets of a project, and what they did. */
export const walletsOf = (call: CallEndpoint) => {
  const register = call(endpoints.walletRegister)
  const lookUp = call(endpoints.walletAddress)
  const list = call(endpoints.walletList)
  const factories = call(endpoints.walletFactories)
  const show = call(endpoints.walletShow)
  const replaceMetadata = call(endpoints.walletReplaceMetadata)
  const history = call(endpoints.walletHistory)
  return {
    wallets: {
      /** Registers the smart wallet of an owner. As `POST /api/v1/wallets/register`. */
      register: (body: typeof RegisterBody.Encoded) => register({ payload: body }),
      /** The smart wallet of an owner, registered or not. As `GET /api/v1/wallets/address`. */
      address: (query: TextInput<NonNullable<typeof endpoints.walletAddress.query>>) => lookUp({ query }),
      /** Every wallet of the project. As `GET /api/v1/wallets`. */
      list: () => list({}),
      /** The supported account factories. As `GET /api/v1/wallets/factories`. */
      factories: () => factories({}),
      /** A registered wallet. As `GET /api/v1/wallets/:walletAddress`. */
      show: (walletAddress: string) => show({ params: { walletAddress } }),
      /** Replaces the metadata of a wallet. As `PATCH /api/v1/wallets/:walletAddress/metadata`. */
      replaceMetadata: (walletAddress: string, body: typeof MetadataPatchBody.Encoded) =>
        replaceMetadata({ params: { walletAddress }, payload: body })
    },
    history: {
      /** Transactions of a wallet, newest first. As `GET /api/v1/wallets/:walletAddress/history`. */
      list: (walletAddress: string, query: TextInput<NonNullable<typeof endpoints.walletHistory.query>> = {}) =>
        history({ params: { walletAddress }, query })
    }
  }
}
