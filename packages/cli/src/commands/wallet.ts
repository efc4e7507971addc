import { BitcoinWallets, Wallets } from "@countersign/core/wallets/registry"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { callEndpoint } from "../environment/ask.ts"
import { withServices } from "../environment/connect.ts"
import { CommandRefused, NotFound } from "../environment/errors.ts"
import { projectFlag, resolveProject } from "../environment/project.ts"
import { addressArgument, walletArgument } from "../input/address.ts"
import { derivationFlag, publicKeyFlag } from "../input/signingKey.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card, tableOrHint } from "../output/table.ts"
import { balances } from "./walletBalances.ts"

interface WalletBody {
  readonly walletAddress: string
  readonly externallyOwnedAccount: string | null
  readonly factory: string | null
  readonly eip7702: boolean
  readonly deployed: ReadonlyArray<{
    readonly chain: { readonly id: number; readonly name: string }
    readonly deployed: boolean
  }>
  readonly salt: number | null
  readonly registeredAt: string | null
  readonly ownership?: "PROVEN" | "ATTACHED"
  readonly publicKey?: string | null
}

type Factories = Wallets["Service"]["factories"]

const kindOf = ({ eip7702, factory }: WalletBody, factories: Factories): string | null =>
  factory === null
    ? "BITCOIN"
    : (factories.find((candidate) => candidate.factory === factory && candidate.eip7702 === eip7702)?.kind ?? null)

/** Formats the names of the chains on which the wallet is deployed. */
const deployedChainsText = ({ deployed }: WalletBody): string =>
  deployed.flatMap(({ chain, deployed }) => (deployed ? `${chain.name} (${chain.id})` : [])).join(", ")

const OWNERSHIP = { PROVEN: "its owner signed the proof message", ATTACHED: "not proven: an operator attached it" }

const walletCard = (wallet: WalletBody, factories: Factories) =>
  card([
    ["wallet", wallet.walletAddress],
    ["owner", wallet.externallyOwnedAccount],
    ["kind", kindOf(wallet, factories)],
    ["factory", wallet.factory],
    ["salt", wallet.salt],
    [
      "deployed on",
      wallet.factory === null ? "Bitcoin has no contracts" : deployedChainsText(wallet) || "no chain yet"
    ],
    ["registered", wallet.registeredAt],
    ...(wallet.ownership === undefined ? [] : [["ownership", OWNERSHIP[wallet.ownership]] as const]),
    ...(wallet.publicKey === undefined ? [] : [["public key", wallet.publicKey] as const])
  ])

const printWallet = <E, R>(
  { json }: { readonly json: boolean },
  request: Effect.Effect<{ readonly wallet: WalletBody }, E, R>
) =>
  withServices(
    Effect.gen(function* () {
      const response = yield* request
      const { factories } = yield* Wallets
      yield* print(json, response, () => walletCard(response.wallet, factories))
    })
  )

/** Finds an account factory by its address, or by a part of its name. */
const findFactory = Effect.fnUntraced(function* (text: string) {
  const { factories } = yield* Wallets
  const normalizeName = (name: string) => name.toLowerCase().replaceAll(" ", "")
  const searchText = normalizeName(text)
  const exactMatches = factories.filter(
    ({ factory, name }) => factory === searchText || normalizeName(name) === searchText
  )
  const candidates =
    exactMatches.length > 0 ? exactMatches : factories.filter(({ name }) => normalizeName(name).includes(searchText))
  const [factory] = candidates
  if (factory !== undefined && candidates.length === 1) return factory
  return yield* factory === undefined
    ? new NotFound({
        what: `There is no account factory "${text}".`,
        hint: `The factories are ${factories.map(({ name }) => name).join(", ")}.`
      })
    : new CommandRefused({
        reason: `"${text}" matches ${candidates.map(({ name }) => name).join(" and ")}. Use a longer part of the name, or the address.`
      })
})

const register = Command.make(
  "register",
  {
    owner: addressArgument("owner").pipe(Argument.withDescription("Address of the owner's key")),
    factory: Flag.String("factory").pipe(
      Flag.withDescription('Address or name of the account factory, such as "SimpleAccount 0.8" or "Safe"'),
      Flag.withDefault("SimpleAccount 0.8")
    ),
    salt: Flag.Int("salt").pipe(
      Flag.withDescription("Salt of the account address. Each salt gives the owner another wallet"),
      Flag.withDefault(0)
    ),
    project: projectFlag,
    json: jsonFlag
  },
  ({ factory, owner, project, salt, ...printOptions }) =>
    printWallet(
      printOptions,
      Effect.flatMap(findFactory(factory), ({ eip7702, factory }) =>
        callEndpoint(({ wallets }) => wallets.register, project, {
          payload: { externallyOwnedAccount: owner, factory, eip7702, ...(salt === 0 ? {} : { salt }) }
        })
      )
    )
).pipe(
  Command.withDescription("Register an owner's wallet with a project"),
  Command.withExamples([
    {
      command: "countersign wallet register 0x… --factory Safe --salt 1",
      description: "Register the owner's second Safe"
    }
  ])
)

const bitcoinAddress = Argument.String("address").pipe(
  Argument.withDescription("Bitcoin address: 1…, 3…, bc1q… or bc1p…")
)

const keyFlags = {
  publicKey: publicKeyFlag("public-key").pipe(
    Flag.withDescription("Public key of the address in hexadecimal; for P2TR (bc1p…) the internal key"),
    Flag.optional
  ),
  derivation: derivationFlag("derivation").pipe(
    Flag.withDescription(
      "Master fingerprint and derivation path of the key in the signer (BIP-32), such as d34db33f/86'/0'/0'/0/0"
    ),
    Flag.optional
  )
}

const registerBitcoin = Command.make(
  "register-bitcoin",
  {
    address: bitcoinAddress,
    signature: Flag.String("signature").pipe(
      Flag.withDescription(
        "Signature of the proof message with the key of the address. Without it the command shows the message"
      ),
      Flag.optional
    ),
    ...keyFlags,
    project: projectFlag,
    json: jsonFlag
  },
  ({ address, derivation, project, publicKey, signature, ...printOptions }) => {
    const message = callEndpoint(({ wallets }) => wallets.bitcoinProofMessage, project, { query: { address } })
    if (Option.isNone(signature)) {
      return withServices(
        Effect.flatMap(message, (response) =>
          print(printOptions.json, response, () =>
            card([
              ["sign this", response.message],
              ["then", `countersign wallet register-bitcoin ${address} --signature SIGNATURE`]
            ])
          )
        )
      )
    }
    return printWallet(
      printOptions,
      Effect.flatMap(message, ({ message }) =>
        callEndpoint(({ wallets }) => wallets.register, project, {
          payload: {
            address,
            proof: { message, signature: signature.value },
            ...(Option.isNone(publicKey) ? {} : { publicKey: publicKey.value }),
            ...(Option.isNone(derivation) ? {} : { derivation: derivation.value })
          }
        })
      )
    )
  }
).pipe(
  Command.withDescription("Register a Bitcoin address with a proof of ownership (BIP-322)"),
  Command.withExamples([
    { command: "countersign wallet register-bitcoin bc1q…", description: "Show the message that the owner must sign" }
  ])
)

const attach = Command.make(
  "attach",
  { address: bitcoinAddress, ...keyFlags, project: projectFlag, json: jsonFlag },
  ({ address, derivation, project, publicKey, ...printOptions }) =>
    printWallet(
      printOptions,
      Effect.gen(function* () {
        const { id } = yield* resolveProject(project)
        const { address: walletAddress } = yield* (yield* BitcoinWallets).attach(id, {
          address,
          publicKey: Option.getOrNull(publicKey),
          derivation: Option.getOrNull(derivation),
          metadata: {}
        })
        return yield* callEndpoint(({ wallets }) => wallets.get, project, { params: { walletAddress } })
      })
    )
).pipe(Command.withDescription("Watch a Bitcoin address without a proof of ownership, or add its public key"))

const list = Command.make("list", { project: projectFlag, json: jsonFlag }, ({ json, project }) =>
  withServices(
    Effect.gen(function* () {
      const response = yield* callEndpoint(({ wallets }) => wallets.list, project, {})
      const { factories } = yield* Wallets
      yield* print(json, response, () =>
        tableOrHint(
          ["WALLET", "OWNER", "KIND", "DEPLOYED ON", "REGISTERED"],
          response.wallets.map((wallet) => [
            wallet.walletAddress,
            wallet.externallyOwnedAccount,
            kindOf(wallet, factories),
            deployedChainsText(wallet) || null,
            wallet.registeredAt
          ]),
          "The project has no wallet. Register one with `countersign wallet register OWNER`."
        )
      )
    })
  )
).pipe(Command.withDescription("List a project's wallets"))

const show = Command.make(
  "show",
  {
    wallet: walletArgument("wallet").pipe(Argument.withDescription("Address of the wallet")),
    project: projectFlag,
    json: jsonFlag
  },
  ({ project, wallet, ...printOptions }) =>
    printWallet(
      printOptions,
      callEndpoint(({ wallets }) => wallets.get, project, { params: { walletAddress: wallet } })
    )
).pipe(Command.withDescription("Show a wallet, and the chains on which it is deployed"))

export const wallet = Command.make("wallet").pipe(
  Command.withSubcommands([register, registerBitcoin, attach, list, show, balances])
)
