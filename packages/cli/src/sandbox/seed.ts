import { readSandboxFile, type SandboxFile, writeSandboxFile } from "@countersign/adapters/home"
import { SandboxChains, sandboxTokens } from "@countersign/adapters/sandbox"
import { type EvmChainId, evmChainIds } from "@countersign/core/chains"
import { type Project, ProjectId, Projects, scopes } from "@countersign/core/projects"
import { type AccountFactoryInfo, type SmartWalletView, Wallets } from "@countersign/core/wallets"
import { Effect, Option, Schema } from "effect"

/** Chains on which the demonstration wallets are given something to play with. */
const fundedChains: ReadonlyArray<EvmChainId> = [1, 8453]

const isProjectId = Schema.is(ProjectId)

/** The project and key of the last run where they are still good, else new ones. */
const projectAndKey = Effect.fnUntraced(function* (last: SandboxFile | null) {
  const projects = yield* Projects
  const chains = yield* SandboxChains
  if (last !== null && isProjectId(last.project.id)) {
    const caller = yield* Effect.option(projects.authenticate(last.apiKey))
    if (Option.isSome(caller)) return { project: caller.value.project, apiKey: last.apiKey, isNew: false }
  }
  const [existingProject] = yield* projects.list
  const project = existingProject ?? (yield* projects.create("Sandbox", chains.keys.treasury.address))
  const { text } = yield* Effect.orDie(
    projects.createKey(project.id, { name: "sandbox", environment: "sandbox", scopes, expiresAt: null })
  )
  return { project, apiKey: text, isNew: existingProject === undefined }
})

/** One wallet of each account kind, each of an owner of its own. */
const demoWallets = Effect.fnUntraced(function* (project: Project) {
  const wallets = yield* Wallets
  const { keys } = yield* SandboxChains
  const views: Array<{ readonly info: AccountFactoryInfo; readonly view: SmartWalletView }> = []
  for (const [i, info] of wallets.factories.entries()) {
    const owner = keys.owners[i % keys.owners.length]!
    const request = { owner: owner.address, factory: info.factory, salt: 0, eip7702: info.eip7702 }
    const register = wallets.register(project.id, request, { demo: info.name })
    const view = yield* register.pipe(
      Effect.catchTag("WALLET_ALREADY_REGISTERED", () => wallets.lookUp(project.id, request)),
      Effect.orDie
    )
    views.push({ info, view })
  }
  return views
})

/** Ten thousand dollars' worth of each token, or so, and ten coins. */
const fund = Effect.fnUntraced(function* (view: SmartWalletView) {
  const chains = yield* SandboxChains
  for (const chainId of fundedChains) {
    yield* chains.fund(chainId, view.account.address, "native", 10n * 10n ** 18n)
    for (const token of sandboxTokens(chainId)) {
      const amount = (10_000n * 10n ** 8n * 10n ** BigInt(token.decimals)) / token.priceUsd8
      yield* chains.fund(chainId, view.account.address, token.address, amount)
    }
  }
})

/** Makes the sandbox worth using: project, key, wallets with funds; and writes it all down for scripts. */
export const seed = Effect.fnUntraced(function* (home: string, baseUrl: string) {
  const chains = yield* SandboxChains
  const { apiKey, isNew, project } = yield* projectAndKey(yield* readSandboxFile(home))
  const wallets = yield* demoWallets(project)
  if (isNew) yield* Effect.forEach(wallets, ({ view }) => fund(view), { discard: true })
  const file: SandboxFile = {
    baseUrl,
    apiKey,
    project: { id: project.id, name: project.name },
    owners: chains.keys.owners.map(({ address, privateKey }) => ({ address, privateKey })),
    wallets: wallets.map(({ view: { account } }) => ({
      walletAddress: account.address,
      externallyOwnedAccount: account.owner,
      factory: account.factory,
      salt: account.salt,
      eip7702: account.eip7702
    })),
    chains: evmChainIds.map((id) => ({ id, rpcUrl: chains.rpcUrl(id) })),
    tokens: Object.fromEntries(
      evmChainIds.map((id) => [
        String(id),
        Object.fromEntries(sandboxTokens(id).map(({ address, symbol }) => [symbol, address]))
      ])
    ),
    gatewayUrl: chains.gatewayUrl,
    paymasters: chains.paymasters,
    pid: process.pid
  }
  yield* writeSandboxFile(home, file)
  return { file, kinds: wallets.map(({ info }) => info.name) }
})
