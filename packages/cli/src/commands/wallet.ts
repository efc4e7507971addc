import { walletBody } from "@countersign/adapters/wire"
import { type ChainId, chainOf } from "@countersign/core/chains"
import { Wallets, type WalletView } from "@countersign/core/wallets"
import { DateTime, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { NotFound, Refused } from "../environment/errors.ts"
import { linkBase } from "../environment/linkBase.ts"
import { chosenProject, projectFlag } from "../environment/project.ts"
import { addressArgument, walletArgument } from "../input/address.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card, tableOrHint } from "../output/table.ts"
import { balances } from "./walletBalances.ts"

/** Chains as people and programs know them. */
const namesOf = (chainIds: ReadonlyArray<ChainId>): string =>
  chainIds.map((id) => `${chainOf(id).name} (${id})`).join(", ")

const deployedText = (view: WalletView): string =>
  view.type === "BITCOIN" ? "Bitcoin has no contracts" : namesOf(view.deployedOn) || "no chain yet"

const registeredText = ({ registration }: WalletView): string | null =>
  registration === null ? null : DateTime.formatIso(registration.registeredAt)

const walletCard = (view: WalletView) => {
  const account = view.type === "SMART" ? view.account : null
  return card([
    ["wallet", view.type === "SMART" ? view.account.address : view.address],
    ["owner", account?.owner ?? null],
    ["kind", account?.kind ?? view.type],
    ["factory", account?.factory ?? null],
    ["salt", account?.salt ?? null],
    ["deployed on", deployedText(view)],
    ["registered", registeredText(view)]
  ])
}

const printWallet = (json: boolean, view: WalletView) =>
  Effect.flatMap(linkBase, (base) => print(json, { wallet: walletBody(base, view) }, () => walletCard(view)))

/** A factory by its address, or by a part of its name. */
const chosenFactory = Effect.fnUntraced(function* (text: string) {
  const { factories } = yield* Wallets
  const plain = (name: string) => name.toLowerCase().replaceAll(" ", "")
  const searchText = plain(text)
  const exact = factories.filter(({ factory, name }) => factory === searchText || plain(name) === searchText)
  const candidates = exact.length > 0 ? exact : factories.filter(({ name }) => plain(name).includes(searchText))
  const [factory] = candidates
  if (factory !== undefined && candidates.length === 1) return factory
  return yield* factory === undefined
    ? new NotFound({
        what: `There is no factory "${text}".`,
        hint: `The factories are ${factories.map(({ name }) => name).join(", ")}.`
      })
    : new Refused({
        reason: `"${text}" may mean ${candidates.map(({ name }) => name).join(" or ")}: write more of the name, or the address.`
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
      Flag.withDescription("Each salt is another wallet of the same owner"),
      Flag.withDefault(0)
    ),
    project: projectFlag,
    json: jsonFlag
  },
  ({ factory, json, owner, project, salt }) =>
    withServices(
      Effect.gen(function* () {
        const { id } = yield* chosenProject(project)
        const info = yield* chosenFactory(factory)
        const request = { owner, factory: info.factory, salt, eip7702: info.eip7702 }
        const view = yield* (yield* Wallets).register(id, request, {})
        yield* printWallet(json, view)
      })
    )
).pipe(
  Command.withDescription("Register an owner's wallet with a project"),
  Command.withExamples([
    { command: "countersign wallet register 0x… --factory Safe --salt 1", description: "The owner's second Safe" }
  ])
)

const list = Command.make("list", { project: projectFlag, json: jsonFlag }, ({ json, project }) =>
  withServices(
    Effect.gen(function* () {
      const { id } = yield* chosenProject(project)
      const views = yield* (yield* Wallets).list(id)
      const base = yield* linkBase
      yield* print(json, { wallets: views.map((view) => walletBody(base, view)) }, () =>
        tableOrHint(
          ["WALLET", "OWNER", "KIND", "DEPLOYED ON", "REGISTERED"],
          views.map((view) => [
            view.type === "SMART" ? view.account.address : view.address,
            view.type === "SMART" ? view.account.owner : null,
            view.type === "SMART" ? view.account.kind : view.type,
            view.type === "SMART" ? namesOf(view.deployedOn) || null : null,
            registeredText(view)
          ]),
          "The project has no wallet yet. Register one with `countersign wallet register OWNER`."
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
  ({ json, project, wallet }) =>
    withServices(
      Effect.gen(function* () {
        const { id } = yield* chosenProject(project)
        const view = yield* (yield* Wallets).show(id, wallet)
        yield* printWallet(json, view)
      })
    )
).pipe(Command.withDescription("Show a wallet, and on which chains it is deployed"))

export const wallet = Command.make("wallet").pipe(Command.withSubcommands([register, list, show, balances]))
