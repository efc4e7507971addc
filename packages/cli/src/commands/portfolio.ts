import { TimeRange } from "@countersign/core/accounting/portfolio"
import { Argument, Command, Flag } from "effect/cli"
import { callEndpoint } from "../environment/ask.ts"
import { projectFlag } from "../environment/project.ts"
import { walletArgument } from "../input/address.ts"
import { jsonFlag } from "../output/print.ts"
import { printResponse } from "../output/printResponse.ts"
import { card, table, tableOrHint, unreadChains } from "../output/table.ts"

export const portfolio = Command.make(
  "portfolio",
  {
    wallet: walletArgument("wallet").pipe(Argument.withDescription("Address of the wallet")),
    nfts: Flag.Boolean("nfts").pipe(
      Flag.withDescription("Also show NFTs, and Uniswap V3 positions with their unclaimed fees"),
      Flag.withDefault(false)
    ),
    range: Flag.Literals("range", TimeRange.literals).pipe(
      Flag.withDescription("Time range of profit and loss: one day, 7 days, 30 days, 365 days, or all"),
      Flag.withDefault("all" as const)
    ),
    project: projectFlag,
    json: jsonFlag
  },
  ({ nfts: isWithNfts, project, range, wallet, ...printOptions }) =>
    printResponse(
      printOptions,
      callEndpoint(({ portfolio }) => portfolio.get, project, {
        params: { walletAddress: wallet },
        query: {
          includeTokens: "true",
          includePnL: "true",
          includeLendingPositions: "true",
          includeNFTs: String(isWithNfts),
          timerange: range
        }
      }),
      ({ lendingPositions, liquidityPositions, nfts, pnl, portfolio: tokens, unread }) => {
        const incompleteTokens = (pnl?.total.incomplete ?? []).map(({ token }) => token.symbol).join(", ")
        const total = card([
          [`profit (${range})`, pnl?.total.totalUsd ?? null],
          ...(incompleteTokens === "" ? [] : [["without", incompleteTokens] as const])
        ])
        const holdingsTable = tableOrHint(
          ["CHAIN", "TOKEN", "BALANCE", "USD", "PRICE", "PROFIT", "ROI %", "AVERAGE COST"],
          tokens.map((token) => [
            token.chain.name,
            token.symbol,
            token.balanceFormatted,
            token.balanceUsd,
            token.priceUsd,
            token.pnl?.profitAbsUsd ?? null,
            token.pnl?.roi ?? null,
            token.pnl?.averageBuyPriceUsd ?? null
          ]),
          unread.length === 0
            ? "The wallet has none of the listed tokens."
            : "The wallet has none of the listed tokens on the chains that responded."
        )
        const lendingTable = table(
          ["CHAIN", "PROTOCOL", "SIDE", "TOKEN", "AMOUNT", "USD"],
          lendingPositions.map((position) => [
            position.chain.name,
            position.protocolGroupName,
            position.positionType,
            position.token.symbol,
            position.token.amount,
            position.valueUsd
          ])
        )
        const positions = table(
          ["CHAIN", "POSITION", "TOKENS", "IN RANGE", "USD", "UNCLAIMED USD"],
          liquidityPositions.map((position) => [
            position.chain.name,
            position.tokenId,
            position.tokens.map(({ symbol }) => symbol).join("/"),
            position.inRange ? "yes" : "no",
            position.valueUSD,
            position.unclaimedFeesUSD
          ])
        )
        const nftTable = table(
          ["CHAIN", "COLLECTION", "NFT", "AMOUNT", "NAME"],
          nfts.map((nft) => [nft.chain.name, nft.collection.name ?? nft.address, nft.tokenId, nft.amount, nft.name])
        )
        const sections = [
          holdingsTable,
          ...(lendingPositions.length === 0 ? [] : [lendingTable]),
          ...(liquidityPositions.length === 0 ? [] : [positions]),
          ...(nfts.length === 0 ? [] : [nftTable]),
          total
        ]
        return sections.join("\n\n") + unreadChains(unread)
      }
    )
).pipe(
  Command.withDescription("Show the balances, value, profit and loss of a wallet"),
  Command.withExamples([
    { command: "countersign portfolio 0x… --range 7d", description: "Show the profit and loss of the last seven days" }
  ])
)
