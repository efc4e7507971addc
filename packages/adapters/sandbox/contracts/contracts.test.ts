import { createHash } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { concatHex, getCreate2Address, type Hex, keccak256, pad } from "viem"
import entryPointSimulationsData from "../../src/chains/deployments/entryPointSimulations.json" with { type: "json" }
import { accountContracts, deploymentOf, entryPointSimulations } from "../../src/chains/deployments/index.ts"
import paymasterCode from "../../src/chains/paymaster-contracts/creationCode.json" with { type: "json" }
import { artifactFromFile } from "./Artifact.ts"
import { filesInTarball } from "./artifactCache.ts"
import { artifactManifest } from "./artifactManifest.ts"
import { linkLibraries, loadArtifacts } from "./index.ts"
import { packedTarballs } from "./npmPack.ts"

const entry = (path: string, kind: string, content: string): Buffer => {
  const header = Buffer.alloc(512)
  header.write(path, 0, 100)
  header.write(`${content.length.toString(8).padStart(11, "0")}\0`, 124)
  header.write(kind, 156)
  const body = Buffer.alloc(Math.ceil(content.length / 512) * 512)
  body.write(content)
  return Buffer.concat([header, body])
}

describe("filesInTarball", () => {
  it("reads plain and pax paths, and only the requested files", () => {
    const longPath = `package/${"deep/".repeat(30)}File.json`
    const record = `${longPath.length + 10} path=${longPath}\n`
    const tarball = gzipSync(
      Buffer.concat([
        entry("package/a.json", "0", "A"),
        entry("package/ignored", "0", "x".repeat(600)),
        entry("PaxHeader/File.json", "x", record),
        entry("cut off", "0", "long"),
        Buffer.alloc(1024)
      ])
    )
    const files = filesInTarball(tarball, new Set(["a.json", longPath.slice("package/".length)]))
    assert.deepStrictEqual([...files.values()].map(String), ["A", "long"])
  })
})

describe("artifacts", () => {
  it.effect("contain creation code whose CREATE2 addresses are the published ones", () =>
    Effect.gen(function* () {
      const artifacts = yield* loadArtifacts
      for (const [name, { bytecode, deployedBytecode }] of Object.entries(artifacts)) {
        assert.isTrue(/^0x6[\w$]{500,}$/u.test(bytecode === "0x" ? deployedBytecode! : bytecode), name)
      }
      const addressOf = (bytecode: Hex, from: string) =>
        getCreate2Address({ from: from as Hex, salt: pad("0x"), bytecode }).toLowerCase()
      assert.strictEqual(
        addressOf(artifacts.Simple7702Account.bytecode, accountContracts.create2Deployer),
        accountContracts.simple7702Account
      )
      assert.strictEqual(
        addressOf(artifacts.SafeL2.bytecode, accountContracts.safeSingletonFactory),
        accountContracts.safeSingletonL2
      )
      assert.strictEqual(`${deploymentOf(56).pancakeV3?.poolInitCodeHash}`, keccak256(artifacts.PancakeV3Pool.bytecode))
      // The owner in the constructor arguments of mainnet's PoolManager. The test compares the hash of the complete
      // creation code (Uniswap/v4-core).
      const timelock = pad("0x1a9c8182c09f50c8318d769245bea52c32be35bc")
      assert.match(keccak256(concatHex([artifacts.PoolManager.bytecode, timelock])), /^0x94d11429/u)
    })
  )

  it.effect("contain the same simulation code as the committed production code", () =>
    Effect.gen(function* () {
      const { EntryPointSimulations07, EntryPointSimulations08 } = yield* loadArtifacts
      assert.strictEqual(entryPointSimulations["0.7"], EntryPointSimulations07.deployedBytecode)
      assert.strictEqual(entryPointSimulations["0.8"], EntryPointSimulations08.deployedBytecode)
    })
  )

  it.effect("contain the same paymaster code as the committed production code", () =>
    Effect.gen(function* () {
      const { SingletonPaymaster07, SingletonPaymaster08 } = yield* loadArtifacts
      assert.strictEqual(paymasterCode["0.7"].creationCode, SingletonPaymaster07.bytecode)
      assert.strictEqual(paymasterCode["0.8"].creationCode, SingletonPaymaster08.bytecode)
    })
  )

  it("come from the packages with the hashes that the committed code specifies", () => {
    const simulations = entryPointSimulationsData
    for (const [{ package: source, path }, committed, committedCode] of [
      [artifactManifest.EntryPointSimulations07, simulations["0.7"], simulations["0.7"].deployedBytecode],
      [artifactManifest.EntryPointSimulations08, simulations["0.8"], simulations["0.8"].deployedBytecode],
      [artifactManifest.SingletonPaymaster07, paymasterCode["0.7"], paymasterCode["0.7"].creationCode],
      [artifactManifest.SingletonPaymaster08, paymasterCode["0.8"], paymasterCode["0.8"].creationCode]
    ] as const) {
      assert.deepStrictEqual(
        [committed.package, committed.version, committed.path],
        [source.name, source.version, path]
      )
      const code = Buffer.from(committedCode.slice(2), "hex")
      assert.strictEqual(committed.sha256, createHash("sha256").update(code).digest("hex"))
    }
  })

  it.each([{ object: "0x60aa" }, "60aa", "0x60aa"])(
    "are read as %o, in the formats of different compilers",
    (bytecode) => {
      const source = { package: { name: "p", version: "1.0.0", integrity: "" }, path: "A.json" }
      assert.strictEqual(artifactFromFile(source, JSON.stringify({ bytecode })).bytecode, "0x60aa")
    }
  )

  it("insert the address of a library into the places that reference it", () => {
    const artifact = artifactFromFile(
      { package: { name: "p", version: "1.0.0", integrity: "" }, path: "A.json" },
      JSON.stringify({
        abi: [],
        bytecode: `0x73${"_".repeat(40)}60`,
        linkReferences: { "L.sol": { L: [{ start: 1, length: 20 }] } }
      })
    )
    const library = `0x${"Ab".repeat(20)}`
    assert.strictEqual(linkLibraries(artifact, { L: library }).bytecode, `0x73${"ab".repeat(20)}60`)
    assert.throws(() => linkLibraries(artifact, {}), "The address of the library L is missing.")
  })
})

/** Builds the source of a fake npm. It writes the files one by one, each after the previous one was reported. */
const fakeNpm = (names: ReadonlyArray<string>, reportPrefix: string) => `
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
const folder = process.argv[process.argv.indexOf("--pack-destination") + 1]
const files = ${JSON.stringify(names)}.map((name) => ({ name, version: "1.0.0", filename: name + "-1.0.0.tgz" }))
for (const { filename, name } of files) {
  writeFileSync(join(folder, filename), name)
  while (!existsSync(${JSON.stringify(reportPrefix)} + filename)) await new Promise((resolve) => setTimeout(resolve, 5))
}
console.log(JSON.stringify(files))
`

describe("Packages that are downloaded", () => {
  it("are reported when they arrive, with the number of arrived packages", async () => {
    const folder = mkdtempSync(join(tmpdir(), "countersign-pack-"))
    const outsideFolder = mkdtempSync(join(tmpdir(), "countersign-npm-"))
    const names = ["first", "second"]
    const reportPrefix = join(outsideFolder, "reported-")
    const launcher = process.env.npm_execpath
    process.env.npm_execpath = join(outsideFolder, "npm-fake.mjs")
    writeFileSync(process.env.npm_execpath, fakeNpm(names, reportPrefix))
    try {
      const packages = names.map((name) => ({
        name,
        version: "1.0.0",
        integrity: `sha512-${createHash("sha512").update(name).digest("base64")}`
      }))
      const reports: Array<readonly [string, number]> = []
      const tarballs = await packedTarballs(packages, folder, (file, count) => {
        reports.push([file, count])
        writeFileSync(reportPrefix + file, "")
      })
      assert.deepStrictEqual(reports, [
        ["first-1.0.0.tgz", 1],
        ["second-1.0.0.tgz", 2]
      ])
      assert.deepStrictEqual([...tarballs.values()].map(String), names)
    } finally {
      process.env.npm_execpath = launcher
      if (launcher === undefined) delete process.env.npm_execpath
      for (const directory of [folder, outsideFolder]) rmSync(directory, { recursive: true, force: true })
    }
  })
})
