// Example for users of Effect: the services of the core as a layer, with typed errors. A wallet sends 1 ether.
//
//   npm start                                       a sandbox, in another terminal
//   node packages/adapters/examples/embed-effect.ts
import assert from "node:assert/strict"
import { Countersign } from "@countersign/adapters"
import { HistoryStore } from "@countersign/core/accounting/history"
import { Address, HexBytes } from "@countersign/core/foundation/primitives"
import { Acceptances } from "@countersign/core/operations/executions"
import { signDataOf } from "@countersign/core/operations/quotes"
import { Projects } from "@countersign/core/tenancy/projects"
import { TransferRequest, Transfers } from "@countersign/core/trading/transfer"
import { Wallets } from "@countersign/core/wallets/registry"
import { Effect, Option, Schema } from "effect"
import { toBytes } from "viem"
import { ETHER, openSandbox } from "./support/sandbox.ts"

const { fund, operatorKeys, owner, rpcUrl } = await openSandbox()
const recipient = Address.make(`0x${"ab".repeat(20)}`)

/** Registers a wallet of the owner in a new project, and funds it. */
const openWallet = Effect.gen(function* () {
  const project = yield* Projects.use((projects) => projects.create(`Effect ${Date.now()}`, null))
  const wallets = yield* Wallets
  const { factory } = wallets.factories.find(({ name }) => name === "SimpleAccount 0.7")!
  const request = { owner: Address.make(owner.address.toLowerCase()), factory, salt: 0, eip7702: false }
  const { account } = yield* wallets.register(project.id, request, {})
  yield* Effect.promise(() => fund(account.address, ETHER, 2n * 10n ** 18n))
  return { project, walletAddress: account.address }
})

const program = Effect.gen(function* () {
  const { project, walletAddress } = yield* openWallet
  const request = yield* Schema.decodeUnknownEffect(TransferRequest)({
    walletAddress,
    chainId: 1,
    token: ETHER,
    amount: "1",
    toAddress: recipient,
    payGasFeeToken: ETHER,
    gasFeePaymentMethod: "ADD_TO_AMOUNT"
  })
  const { quote } = yield* Transfers.use((transfers) => transfers.quote(project, request))
  const { hash } = signDataOf(quote)[0]!
  const signature = yield* Effect.promise(() => owner.signMessage({ message: { raw: toBytes(hash) } }))
  const acceptances = yield* Acceptances
  const execution = yield* acceptances.accept(project.id, quote.id, { [hash]: HexBytes.make(signature) })

  // The layer contains the workers, which track accepted operations.
  const history = yield* HistoryStore
  return yield* history
    .find(project.id, execution.id)
    .pipe(
      Effect.map(Option.getOrThrow),
      Effect.delay("100 millis"),
      Effect.repeat({ until: ({ status }) => status !== "PROCESSING" }),
      Effect.timeout("60 seconds")
    )
})

const layer = Countersign.layer({
  database: "embed-effect.db",
  chains: { 1: { rpcUrl } },
  bundler: { operatorKeys }
})

const transaction = await Effect.runPromise(
  program.pipe(
    // The error type of the effect contains all possible errors, so the compiler checks this error id.
    Effect.catchTag("UPSTREAM_UNAVAILABLE", ({ message }) => Effect.die(message)),
    Effect.provide(layer)
  )
)
console.log(transaction.status, transaction.legs[0]?.hash)
assert.equal(transaction.status, "COMPLETED")
