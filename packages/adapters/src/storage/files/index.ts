export {
  ensurePrivateFile,
  ensurePrivateFolder,
  FolderNotWritable,
  makePrivateFolder,
  PRIVATE_FILE_MODE,
  restrictPrivateFile
} from "./privateFiles.ts"
