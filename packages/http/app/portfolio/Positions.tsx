import type { Portfolio } from "../../src/client/index.ts"
import { formatUsd, shortAmount, title } from "../words.ts"

interface PositionsProps {
  readonly liquidity: Portfolio["liquidityPositions"]
  readonly lending: Portfolio["lendingPositions"]
}

/** Lists liquidity positions, lending supplies and debts. */
export const Positions = ({ lending, liquidity }: PositionsProps) =>
  liquidity.length + lending.length === 0 ? null : (
    <section class="card" aria-label="Positions">
      <h2>Positions</h2>
      <ul class="rows">
        {liquidity.map(({ chain, inRange, provider, tokenId, tokens, unclaimedFeesUSD, valueUSD }) => (
          <li key={`${chain.id} ${tokenId}`}>
            <span>
              {tokens.map(({ symbol }) => symbol).join(" / ")}
              <small class="muted">
                {provider.name} {tokenId}, {chain.name}, {inRange ? "in range" : "out of range"}
              </small>
            </span>
            <span class="right">
              {formatUsd(valueUSD)}
              <small class="muted">{formatUsd(unclaimedFeesUSD)} unclaimed</small>
            </span>
          </li>
        ))}
        {lending.map(({ chain, healthFactor, marketId, positionType, protocolGroupName, token, valueUsd }) => (
          <li key={`${chain.id} ${protocolGroupName} ${marketId} ${positionType} ${token.address}`}>
            <span>
              {title(positionType)} {shortAmount(token.amount)} {token.symbol}
              <small class="muted">
                {protocolGroupName}, {chain.name}
                {healthFactor !== null && `, health factor ${shortAmount(healthFactor)}`}
              </small>
            </span>
            <span class="right">{formatUsd(valueUsd)}</span>
          </li>
        ))}
      </ul>
    </section>
  )

/**
 * Returns the NFT image if it is stored on-chain, as a data URL. Images on other hosts are not loaded, because these
 * hosts would get the visitor's IP address.
 */
const pictureOrNull = (image: string | null): string | null => (image?.startsWith("data:image/") ? image : null)

export const Nfts = ({ nfts }: Pick<Portfolio, "nfts">) =>
  nfts.length === 0 ? null : (
    <section class="card" aria-label="NFTs">
      <h2>NFTs</h2>
      <ul class="cards">
        {nfts.map(({ address, chain, collection, image, name, tokenId }) => {
          const picture = pictureOrNull(image)
          return (
            <li key={`${chain.id} ${address} ${tokenId}`} class="nft">
              {picture !== null && <img src={picture} alt="" loading="lazy" />}
              <strong>{name ?? `${collection.name ?? "NFT"} ${tokenId}`}</strong>
              <small class="muted">{chain.name}</small>
            </li>
          )
        })}
      </ul>
    </section>
  )
