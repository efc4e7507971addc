import { useState } from "preact/hooks"
import type { Client, Portfolio } from "../../src/client/index.ts"
import { Failure } from "../Failure.tsx"
import { useLoad } from "../useLoad.ts"
import { formatUsd } from "../words.ts"
import { Holdings } from "./Holdings.tsx"
import { Nfts, Positions } from "./Positions.tsx"
import { type PositionsOf, valueOfPositions } from "./positionsValue.ts"
import { type Range, RangeChoice } from "./RangeChoice.tsx"
import { WorthOverTime } from "./WorthOverTime.tsx"

const UnreadChains = ({ unread }: Pick<Portfolio, "unread">) =>
  unread.length === 0 ? null : (
    <div class="failure" role="status">
      {unread.map(({ chain, reason }) => (
        <p key={chain.id}>
          {chain.name} could not be read: {reason}
        </p>
      ))}
    </div>
  )

/**
 * Renders a note that the chart does not include positions, with their value. Renders nothing if there are no
 * positions.
 */
const WorthOfPositions = (portfolio: PositionsOf) => {
  const totalUsd = valueOfPositions(portfolio)
  return portfolio.liquidityPositions.length + portfolio.lendingPositions.length === 0 ? null : (
    <p class="muted">
      The chart includes only tokens. The value of the liquidity and lending positions below is{" "}
      {totalUsd === null ? "unknown, because a price is missing" : <strong>{formatUsd(totalUsd)}</strong>}, less debts.
    </p>
  )
}

/** Shows the holdings of a wallet, their value over time, and the profit or loss. */
export const PortfolioView = ({ client, wallet }: { readonly client: Client; readonly wallet: string }) => {
  const [range, setRange] = useState<Range>("7d")
  const { failure, isLoading, value } = useLoad(`${wallet} ${range}`, (signal) =>
    client.portfolio.get(
      wallet,
      {
        includeTokens: true,
        includeNFTs: true,
        includePnL: true,
        includeLendingPositions: true,
        timerange: range
      },
      { signal }
    )
  )
  return (
    <div class="stack" aria-busy={isLoading}>
      <section class="card" aria-label="Value over time">
        <RangeChoice chosen={range} onChoose={setRange} />
        <WorthOverTime client={client} wallet={wallet} range={range} />
        {value !== undefined && <WorthOfPositions {...value} />}
        {value?.pnl != null && (
          <p class="muted">
            Profit and loss of the recorded movements: <strong>{formatUsd(value.pnl.total.totalUsd)}</strong>
            {value.pnl.total.incomplete.length > 0 &&
              ` without ${value.pnl.total.incomplete.map(({ token }) => token.symbol).join(", ")}, whose prices are unknown`}
          </p>
        )}
      </section>
      <Failure of={failure} />
      {value === undefined ? (
        isLoading && <p role="status">Reading the chains…</p>
      ) : (
        <>
          <UnreadChains unread={value.unread} />
          <Holdings tokens={value.tokens} asOf={value.asOf} />
          <Positions liquidity={value.liquidityPositions} lending={value.lendingPositions} />
          <Nfts nfts={value.nfts} />
        </>
      )}
    </div>
  )
}
