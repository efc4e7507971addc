import { findPool, outputOf, partsOf, thorPools } from "./pools.ts"
import { memoOf, type SandboxThorchain, vaultAddress } from "./SandboxThorchain.ts"

export interface ThorResponse {
  readonly status: number
  readonly body: unknown
}

const DUST_SATS = 10_000n
const MIN_SATS = 20_000n
const QUOTE_SECONDS = 900
const CONFIRMATIONS = 1
const BLOCK_SECONDS = 600
const OUTBOUND_SECONDS = 30
const SECONDS_FOR_A_PART = 6

/** Builds an error of a THORNode: status 500, a code and a message. */
const refusal = (message: string): ThorResponse => ({ status: 500, body: { code: 2, message, details: [] } })
const okResponse = (body: unknown): ThorResponse => ({ status: 200, body })

const quote = (thorchain: SandboxThorchain, query: URLSearchParams): ThorResponse => {
  if (query.get("from_asset") !== "BTC.BTC") return refusal("bad from asset: the sandbox swaps from BTC.BTC only")
  const pool = findPool(query.get("to_asset") ?? "")
  if (pool === undefined) return refusal("bad to asset: pool does not exist")
  const text = query.get("amount") ?? ""
  if (!/^\d{1,20}$/u.test(text)) return refusal("bad amount")
  const amount = BigInt(text)
  if (amount <= DUST_SATS) return refusal("amount less than dust threshold")
  if (thorchain.mode.mode === "HALT") return refusal("trading is halted")
  const isStreamed = query.has("streaming_interval")
  const { liquidity, net, outbound } = outputOf(pool, amount, isStreamed)
  if (net <= 0n) return refusal("invariant broken: emit less than outbound fee")
  const inboundSeconds = CONFIRMATIONS * BLOCK_SECONDS
  const streamingSeconds = isStreamed ? (partsOf(amount) - 1) * SECONDS_FOR_A_PART : 0
  return okResponse({
    inbound_address: vaultAddress,
    inbound_confirmation_blocks: CONFIRMATIONS,
    inbound_confirmation_seconds: inboundSeconds,
    outbound_delay_blocks: OUTBOUND_SECONDS / SECONDS_FOR_A_PART,
    outbound_delay_seconds: OUTBOUND_SECONDS,
    fees: {
      asset: pool.asset,
      affiliate: "0",
      outbound: String(outbound),
      liquidity: String(liquidity),
      total: String(outbound + liquidity),
      slippage_bps: 5,
      total_bps: 10
    },
    expiry: thorchain.nowSeconds + QUOTE_SECONDS,
    warning: "Do not cache this response. Do not send funds after the expiry.",
    notes:
      "First output should be to inbound_address, second output should be change back to self, third output should be OP_RETURN, limited to 80 bytes.",
    dust_threshold: String(DUST_SATS),
    recommended_min_amount_in: String(MIN_SATS),
    recommended_gas_rate: "2",
    gas_rate_units: "satsperbyte",
    expected_amount_out: String(net),
    max_streaming_quantity: partsOf(amount),
    streaming_swap_blocks: isStreamed ? partsOf(amount) - 1 : 0,
    total_swap_seconds: inboundSeconds + streamingSeconds + OUTBOUND_SECONDS
  })
}

const inbounds = (thorchain: SandboxThorchain) =>
  ["BTC", "ETH", "BSC", "AVAX", "BASE"].map((chain) => ({
    chain,
    pub_key: "thorpubsandbox",
    address: chain === "BTC" ? vaultAddress : `0x${"7".repeat(40)}`,
    halted: false,
    global_trading_paused: thorchain.mode.mode === "HALT",
    chain_trading_paused: false,
    chain_lp_actions_paused: false,
    gas_rate: "2",
    gas_rate_units: chain === "BTC" ? "satsperbyte" : "gwei",
    outbound_tx_size: "1000",
    outbound_fee: "3000",
    dust_threshold: chain === "BTC" ? String(DUST_SATS) : "0"
  }))

const status = async (thorchain: SandboxThorchain, txid: string): Promise<ThorResponse> => {
  const vaultDeposit = await thorchain.depositOf(txid)
  if (vaultDeposit === undefined) {
    return okResponse({ stages: { inbound_observed: { started: false, final_count: 0, completed: false } } })
  }
  const { deposit, outbound } = vaultDeposit
  const id = deposit.txid.toUpperCase()
  const isObserved = deposit.blockSeconds !== null
  const coin = outbound === undefined ? null : { asset: outbound.asset, amount: outbound.amount }
  return okResponse({
    tx: {
      id,
      chain: "BTC",
      from_address: deposit.from,
      to_address: vaultAddress,
      coins: [{ asset: "BTC.BTC", amount: String(deposit.satoshis) }],
      gas: [],
      memo: memoOf(deposit)
    },
    ...(outbound === undefined || coin === null
      ? {}
      : {
          planned_out_txs: [{ chain: outbound.chain, to_address: outbound.to, coin, refund: outbound.isRefund }],
          out_txs: [
            {
              id: outbound.id.toUpperCase(),
              chain: outbound.chain,
              from_address: vaultAddress,
              to_address: outbound.to,
              coins: [coin],
              gas: [],
              memo: `${outbound.isRefund ? "REFUND" : "OUT"}:${id}`
            }
          ]
        }),
    stages: {
      inbound_observed: { started: true, final_count: isObserved ? 1 : 0, completed: isObserved },
      inbound_finalised: { completed: isObserved },
      swap_status: { pending: outbound === undefined },
      swap_finalised: { completed: outbound !== undefined },
      outbound_signed: { completed: outbound !== undefined }
    }
  })
}

/** Emulates the part of THORNode's API that swaps from Bitcoin need. Null for other requests. */
export const thorNodeResponseOrNull = async (
  thorchain: SandboxThorchain,
  path: string,
  query: URLSearchParams
): Promise<ThorResponse | null> => {
  const txid = /^\/thorchain\/tx\/status\/(?:0x)?(?<txid>[\da-f]{64})$/iu.exec(path)?.groups?.txid
  if (txid !== undefined) return status(thorchain, txid)
  switch (path) {
    case "/thorchain/quote/swap":
      thorchain.attend()
      return quote(thorchain, query)
    case "/thorchain/inbound_addresses":
      return okResponse(inbounds(thorchain))
    case "/thorchain/pools":
      return okResponse(
        thorPools.map(({ asset }) => ({ asset, status: "Available", balance_rune: "1", balance_asset: "1" }))
      )
    default:
      return null
  }
}
