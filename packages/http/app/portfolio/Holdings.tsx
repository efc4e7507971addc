import type { Portfolio } from "../../src/client/index.ts"
import { logoAt } from "../service.ts"
import { formatDateTime, formatUsd, percentOf, shortAmount, signedAmount, unitsText } from "../words.ts"

type Token = Portfolio["tokens"][number]

const Row = ({
  token: {
    balanceFormatted,
    balanceUsd,
    chain,
    decimals,
    logo,
    pnl,
    priceStale,
    priceUsd,
    symbol,
    unconfirmedBalance = "0"
  }
}: {
  readonly token: Token
}) => (
  <tr>
    <th scope="row">
      <div class="token">
        <img src={logoAt(logo)} alt="" width="28" height="28" loading="lazy" />
        <span>
          {symbol}
          <small class="muted">{chain.name}</small>
        </span>
      </div>
    </th>
    <td title={balanceFormatted}>
      {shortAmount(balanceFormatted)}
      {unconfirmedBalance !== "0" && (
        <small class="muted">{signedAmount(unitsText(unconfirmedBalance, decimals))} unconfirmed</small>
      )}
    </td>
    <td class="wide">
      {formatUsd(priceUsd)}
      {priceStale && <small class="muted">outdated</small>}
    </td>
    <td>{formatUsd(balanceUsd)}</td>
    <td class="wide">
      {formatUsd(pnl?.profitAbsUsd ?? null)}
      {pnl?.roi != null && <small class="muted">{percentOf(Number(pnl.roi) / 100)}</small>}
    </td>
  </tr>
)

const usdValueOf = ({ balanceUsd }: Token): number => Number(balanceUsd ?? 0)

/** Lists the tokens of a wallet, highest value first. */
export const Holdings = ({ asOf, tokens }: Pick<Portfolio, "tokens" | "asOf">) => (
  <section class="card" aria-label="Tokens">
    <h2>Tokens</h2>
    {tokens.length === 0 ? (
      <p class="muted">The wallet holds no listed tokens.</p>
    ) : (
      <table>
        <thead>
          <tr>
            <th scope="col">Token</th>
            <th scope="col">Amount</th>
            <th scope="col" class="wide">
              Price
            </th>
            <th scope="col">Value</th>
            <th scope="col" class="wide">
              Profit
            </th>
          </tr>
        </thead>
        <tbody>
          {tokens
            .toSorted((one, other) => usdValueOf(other) - usdValueOf(one))
            .map((token) => (
              <Row key={`${token.chain.id} ${token.address}`} token={token} />
            ))}
        </tbody>
      </table>
    )}
    <p class="muted">As of {formatDateTime(asOf)}</p>
  </section>
)
