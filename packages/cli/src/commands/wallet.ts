import { Address } from "@countersign/core/primitives"
import { Wallets, type WalletView } from "@countersign/core/wallets"
import { DateTime, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { NotFound } from "../environment/errors.ts"
import { chosenProject, projectFlag } from "../environment/project.ts"
import { addressArgument } from "../input/address.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card, tableOrHint } from "../output/table.ts"

const registered = ({ registration }: WalletView) =>
  registration === null ? null : DateTime.formatIso(registration.registeredAt)

const walletJson = (view: WalletView) => ({
  walletAddress: view.account.address,
  externallyOwnedAccount: view.account.owner,
  factory: view.account.factory,
  kind: view.account.kind,
  salt: view.account.salt,
  eip7702: view.account.eip7702,
  deployedOn: view.deployedOn,
  metadata: view.registration?.metadata ?? {},
  registeredAt: registered(view)
})

const walletCard = (view: WalletView) =>
  card([
    ["wallet", view.account.address],
    ["owner", view.account.owner],
    ["kind", view.account.kind],
    ["factory", view.account.factory],
    ["salt", view.account.salt],
    ["deployed on", view.deployedOn.length === 0 ? "no chain yet" : view.deployedOn.join(", ")],
    ["registered", registered(view)]
  ])

/** A factory by its address, or by a part of its name. */
const chosenFactory = Effect.fnUntraced(function* (text: string) {
  const { factories } = yield* Wallets
  const wanted = text.toLowerCase().replaceAll(" ", "")
  const found = factories.find(
    ({ factory, name }) => factory === wanted || name.toLowerCase().replaceAll(" ", "").includes(wanted)
  )
  return (
    found ??
    (yield* new NotFound({
      what: `There is no factory "${text}".`,
      hint: `The factories are ${factories.map(({ name }) => name).join(", ")}.`
    }))
  )
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
        yield* print(json, walletJson(view), () => walletCard(view))
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
      yield* print(json, views.map(walletJson), () =>
        tableOrHint(
          ["WALLET", "OWNER", "KIND", "DEPLOYED ON", "REGISTERED"],
          views.map((view) => [
            view.account.address,
            view.account.owner,
            view.account.kind,
            view.deployedOn.join(",") || null,
            registered(view)
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
    wallet: addressArgument("wallet").pipe(Argument.withDescription("Address of the wallet")),
    project: projectFlag,
    json: jsonFlag
  },
  ({ json, project, wallet }) =>
    withServices(
      Effect.gen(function* () {
        const { id } = yield* chosenProject(project)
        const view = yield* (yield* Wallets).show(id, Address.make(wallet))
        yield* print(json, walletJson(view), () => walletCard(view))
      })
    )
).pipe(Command.withDescription("Show a wallet, and on which chains it is deployed"))

export const wallet = Command.make("wallet").pipe(Command.withSubcommands([register, list, show]))
