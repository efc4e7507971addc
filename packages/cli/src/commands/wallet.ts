import { Wallets, type WalletView } from "@countersign/core/wallets"
import { DateTime, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { NotFound } from "../environment/errors.ts"
import { chosenProject, projectFlag } from "../environment/project.ts"
import { addressArgument, walletArgument } from "../input/address.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card, tableOrHint } from "../output/table.ts"

const registrationText = ({ registration }: WalletView) =>
  registration === null ? null : DateTime.formatIso(registration.registeredAt)

/** What a wallet is; a Bitcoin wallet has no account. */
const walletJson = (view: WalletView) => {
  const account = view.type === "SMART" ? view.account : null
  return {
    walletAddress: view.type === "SMART" ? view.account.address : view.address,
    externallyOwnedAccount: account?.owner ?? null,
    factory: account?.factory ?? null,
    kind: account?.kind ?? view.type,
    salt: account?.salt ?? null,
    eip7702: account?.eip7702 ?? false,
    deployedOn: view.type === "SMART" ? view.deployedOn : [],
    metadata: view.registration?.metadata ?? {},
    registeredAt: registrationText(view)
  }
}

const walletCard = (view: WalletView) => {
  const { deployedOn, externallyOwnedAccount, factory, kind, registeredAt, salt, walletAddress } = walletJson(view)
  return card([
    ["wallet", walletAddress],
    ["owner", externallyOwnedAccount],
    ["kind", kind],
    ["factory", factory],
    ["salt", salt],
    ["deployed on", deployedOn.length === 0 ? "no chain yet" : deployedOn.join(", ")],
    ["registered", registeredAt]
  ])
}

/** A factory by its address, or by a part of its name. */
const chosenFactory = Effect.fnUntraced(function* (text: string) {
  const { factories } = yield* Wallets
  const searchText = text.toLowerCase().replaceAll(" ", "")
  const factory = factories.find(
    ({ factory, name }) => factory === searchText || name.toLowerCase().replaceAll(" ", "").includes(searchText)
  )
  return (
    factory ??
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
      const wallets = (yield* (yield* Wallets).list(id)).map(walletJson)
      yield* print(json, wallets, () =>
        tableOrHint(
          ["WALLET", "OWNER", "KIND", "DEPLOYED ON", "REGISTERED"],
          wallets.map(({ deployedOn, externallyOwnedAccount, kind, registeredAt, walletAddress }) => [
            walletAddress,
            externallyOwnedAccount,
            kind,
            deployedOn.join(",") || null,
            registeredAt
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
        yield* print(json, walletJson(view), () => walletCard(view))
      })
    )
).pipe(Command.withDescription("Show a wallet, and on which chains it is deployed"))

export const wallet = Command.make("wallet").pipe(Command.withSubcommands([register, list, show]))
