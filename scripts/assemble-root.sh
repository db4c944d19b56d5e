#!/usr/bin/env bash
# Lays out what the server needs below its own folder, and nothing else, from the Debian system that this runs on: Node
# without symbols, sh (starts native compilers with limits), bash (the health check), the libraries of these and of
# released compilers, users, and the command `ledgerlens`. Node brings its own time zones and certificate authorities.
# Usage: assemble-root.sh ROOT [NODE], as in: assemble-root.sh /image /usr/local/bin/node
set -euo pipefail
root=${1:?folder of the new root} node=${2:-$(command -v node)}
# What Vyper, Fe and native Solidity are linked with beside what Node needs.
COMPILERS_NEED='libz.so.1 libdl.so.2 libpthread.so.0 librt.so.1 libutil.so.1 libresolv.so.2'

mkdir -p "$root"/{etc,home/node,proc,dev,root,tmp,var/lib/dpkg/status.d} \
  "$root"/usr/{bin,lib,lib64,sbin,local/bin,share/common-licenses}
for folder in bin lib lib64 sbin; do ln -s "usr/$folder" "$root/$folder"; done
chmod 1777 "$root/tmp"

strip -o "$root/usr/local/bin/node" "$node"
cp -p /bin/bash "$root/usr/bin/bash"
cp -pL /bin/dash "$root/usr/bin/sh"

# Messages say "Run `ledgerlens …`". By a relative path, it also works beside the root.
printf '#!/bin/sh\nexec node "${0%%/*}/../../../app/dist/main.js" "$@"\n' >"$root/usr/local/bin/ledgerlens"
chmod 755 "$root/usr/local/bin/ledgerlens"

libraries=$(ldd "$node" /bin/bash /bin/dash | grep -o '/[^ :]*\.so[^ :]*' | sort -u)
folder=$(dirname "$(grep '/libc\.so' <<<"$libraries")")
for name in $COMPILERS_NEED; do libraries+=$'\n'$folder/$name; done
for library in $(sort -u <<<"$libraries"); do
  mkdir -p "$root${library%/*}"
  cp -pL "$library" "$root$library"
done

# Scanners learn from these which packages of Debian are in the image; their licences come along.
package_of() {
  { dpkg -S "$1" || dpkg -S "/usr$1" || dpkg -S "${1#/usr}"; } 2>/dev/null | head -n 1 | cut -d: -f1
}
for package in base-files $(for file in /bin/bash /bin/dash $libraries; do package_of "$file"; done | sort -u); do
  dpkg-query -s "$package" >"$root/var/lib/dpkg/status.d/$package"
  mkdir -p "$root/usr/share/doc/$package"
  cp -pL "/usr/share/doc/$package/copyright" "$root/usr/share/doc/$package/"
done
cp -pL /etc/os-release "$root/etc/"
cp -rpL /usr/share/common-licenses/. "$root/usr/share/common-licenses/"
mkdir -p "$root/usr/share/doc/node"
# Node's archive has it, the packages that only bring the executable do not.
licence=$(dirname "$(dirname "$(readlink -f "$node")")")/LICENSE
if [ -f "$licence" ]; then cp "$licence" "$root/usr/share/doc/node/"; else echo "no licence of Node beside $node" >&2; fi

printf '%s\n' root:x:0:0:root:/root:/bin/sh node:x:1000:1000::/home/node:/bin/sh \
  nobody:x:65534:65534:nobody:/nonexistent:/bin/sh >"$root/etc/passwd"
printf '%s\n' root:x:0: node:x:1000: nogroup:x:65534: >"$root/etc/group"
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"
