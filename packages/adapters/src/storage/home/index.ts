export { readSandboxFile, SandboxFile, sandboxDatabaseFile, sandboxFilePath, writeSandboxFile } from "./SandboxFile.ts"
