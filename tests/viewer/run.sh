#!/usr/bin/env bash
# slow: pages of `footfall view` in a real browser, which has no graphics card here. Pictures are left in
# $BUILD/viewer/pages.
set -u
. "$(dirname "$0")/../support/script.sh"

skip() {
  echo "$1"
  echo "[  SKIPPED ] 1 test(s)"
  exit 0
}

footfall=$BUILD/footfall pages=$BUILD/viewer/pages
node=$(command -v node || command -v nodejs) || skip "there is no node"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip "there is no chromium"
mkdir -p "$pages"
cd "$ROOT" || exit 1
"$footfall" view models/ball.urdf --duration 0 --no-open -o "$pages/any.html" 2>&1 |
  grep -q 'without its viewer' && skip "the command was built without its viewer"

check "a page of one run" "$footfall" view scenes/solo-trot.yaml --duration 10s --no-open -o "$pages/one.html"
check "a page of three" \
  "$footfall" view scenes/solo-trot.yaml --steppers expo,implicit,euler --no-open -o "$pages/three.html"
"$footfall" run scenes/solo-trot.yaml --duration 3s --quiet --log "$WORK/first.h5"
"$footfall" run --resume "$WORK/first.h5" --duration 0.5s --quiet --log "$WORK/on.h5" # perhaps its task is not met
check "a page of a run that goes on" "$footfall" view "$WORK/on.h5" --no-open -o "$pages/on.html"
check "a page of a push" "$footfall" view scenes/starleth-push.yaml --duration 0.5s --no-open -o "$pages/push.html"
# This one runs away, and its log says so.
"$footfall" run scenes/solo-trot.yaml --stepper euler --quiet --log "$WORK/euler.h5" 2>/dev/null
check "a page of a run that runs away" "$footfall" view "$WORK/euler.h5" --no-open -o "$pages/euler.html"
check "a page of a bullet that goes through" \
  "$footfall" view scenes/bullet-paper.yaml --stepper symplectic --no-open -o "$pages/through.html"
check "a page in which nothing touches" \
  "$footfall" view models/pendulum.urdf --duration 1s --no-open -o "$pages/still.html"
{
  echo '<mujoco model="many"><option timestep="0.002"/><worldbody><geom type="plane" size="9 9 1"/>'
  for i in $(seq 0 999); do
    echo "<body pos='$((i % 32)) $((i / 32)) 0.5'><freejoint/><geom type='sphere' size='0.3'/></body>"
  done
  echo '</worldbody></mujoco>'
} >"$WORK/many.xml"
check "a page of a thousand things" "$footfall" view "$WORK/many.xml" --duration 0.02s --no-open -o "$pages/many.html"
check "a page of a block that slides" \
  "$footfall" view models/sliding_block.urdf --slope 45deg --duration 1s --no-open -o "$pages/slope.html"

# A tetrahedron with edges of 1, 2 and 3 along the axes in each kind of file; in centimetres, and with up said to be z,
# in COLLADA. One file is not there.
cat >"$WORK/a.stl" <<'END'
solid a
facet normal 0 0 0
outer loop
vertex 0 0 0
vertex 0 2 0
vertex 1 0 0
endloop
endfacet
facet normal 0 0 0
outer loop
vertex 0 0 0
vertex 1 0 0
vertex 0 0 3
endloop
endfacet
facet normal 0 0 0
outer loop
vertex 0 0 0
vertex 0 0 3
vertex 0 2 0
endloop
endfacet
facet normal 0 0 0
outer loop
vertex 1 0 0
vertex 0 2 0
vertex 0 0 3
endloop
endfacet
endsolid a
END
printf 'v %s\n' '0 0 0' '1 0 0' '0 2 0' '0 0 3' >"$WORK/b.obj"
printf 'f %s\n' '1 3 2' '1 2 4' '1 4 3' '2 3 4' >>"$WORK/b.obj"
cat >"$WORK/c.dae" <<'END'
<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis></asset>
<library_images><image id="i"><init_from>texture.png</init_from></image></library_images>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="12">0 0 0 100 0 0 0 200 0 0 0 300</float_array>
<technique_common><accessor source="#a" count="4" stride="3">
<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor>
</technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node></visual_scene>
</library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>
END
{
  echo '<robot name="meshes"><link name="base">'
  echo '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
  for file in a.stl b.obj c.dae absent.obj; do
    echo "<visual><geometry><mesh filename=\"$file\" scale=\"1 1 0.5\"/></geometry></visual>"
  done
  echo '</link></robot>'
} >"$WORK/meshes.urdf"
check "a page with meshes" "$footfall" view "$WORK/meshes.urdf" --duration 0.1s --no-open -o "$pages/meshes.html"

"$node" tests/viewer/big_mesh.mjs "$WORK/big.stl" "$WORK/big.dae"
cat >"$WORK/big.urdf" <<'END'
<robot name="big"><link name="base">
  <inertial><mass value="8"/><inertia ixx="0.2" iyy="0.2" izz="0.3"/></inertial>
  <visual><geometry><mesh filename="big.stl"/></geometry></visual>
  <visual><origin xyz="0 0 0.3"/><geometry><mesh filename="big.dae"/></geometry></visual>
  <collision><geometry><mesh filename="big.stl"/></geometry></collision>
</link></robot>
END
check "a page with 46 MB of meshes" \
  "$footfall" view "$WORK/big.urdf" --duration 0.1s --no-open -o "$pages/big.html"
# A cube whose sides along x are red and whose others are green, as it is, and with an orange of the robot's own.
{
  echo '<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><unit meter="1"/></asset>'
  echo '<library_effects>'
  for colour in '0.9 0.05 0.05' '0.05 0.8 0.05'; do
    echo "<effect id=\"effect $colour\"><profile_COMMON><technique sid=\"t\"><lambert>"
    echo "<diffuse><color>$colour 1</color></diffuse></lambert></technique></profile_COMMON></effect>"
  done
  cat <<'END'
</library_effects>
<library_materials><material id="red"><instance_effect url="#effect 0.9 0.05 0.05"/></material>
<material id="green"><instance_effect url="#effect 0.05 0.8 0.05"/></material></library_materials>
<library_geometries><geometry id="g"><mesh><source id="p">
<float_array id="a" count="24">0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1</float_array>
<technique_common><accessor source="#a" count="8" stride="3">
<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common>
</source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles material="A" count="4"><input semantic="VERTEX" source="#v" offset="0"/>
<p>0 4 2 2 4 6 1 3 5 3 7 5</p></triangles>
<triangles material="B" count="8"><input semantic="VERTEX" source="#v" offset="0"/>
<p>0 1 4 1 5 4 2 6 3 3 6 7 0 2 1 1 2 3 4 5 6 5 7 6</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"><bind_material><technique_common>
<instance_material symbol="A" target="#red"/><instance_material symbol="B" target="#green"/>
</technique_common></bind_material></instance_geometry></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>
END
} >"$WORK/painted.dae"
cat >"$WORK/painted.urdf" <<'END'
<robot name="painted"><link name="base">
  <inertial><mass value="8"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
  <visual><geometry><mesh filename="painted.dae"/></geometry></visual>
  <visual><origin xyz="0 0 1.5"/><geometry><mesh filename="painted.dae"/></geometry>
    <material name="orange"><color rgba="0.9 0.6 0.1 1"/></material></visual>
</link></robot>
END
check "a page with colours of COLLADA" \
  "$footfall" view "$WORK/painted.urdf" --duration 0.1s --no-open -o "$pages/painted.html"
arm() { # HEIGHT: a red base that is fixed to the world, a green arm, and an orange box of the world's own
  cat <<END
<mujoco model="arm"><worldbody>
  <geom type="plane" size="0 0 0.05"/>
  <geom type="box" size="0.2 0.2 0.1" pos="0 0.5 $1" rgba="0.9 0.6 0.1 1"/>
  <body name="base" pos="0 0 $1"><geom type="box" size="0.15 0.15 0.1" rgba="0.9 0.1 0.1 1"/>
    <body name="arm"><joint axis="0 1 0" range="-60 60"/>
      <geom type="box" size="0.05 0.05 0.2" pos="0 0 0.35" rgba="0.1 0.8 0.1 1"/></body></body>
</worldbody></mujoco>
END
}
arm 0.1 >"$WORK/fixed.xml"
arm -3 >"$WORK/below.xml"
for name in fixed below; do
  check "a page of an arm, $name" "$footfall" view "$WORK/$name.xml" --duration 0.1s --no-open -o "$pages/$name.html"
done
[ ${#failed[@]} = 0 ] || finish

# A scene that runs meanwhile: its address is what it says first.
"$footfall" view --live scenes/solo-stand.yaml --no-open >"$WORK/live" &
live=$!
trap 'kill "$live" 2>/dev/null; rm -rf "$WORK"' EXIT
for _ in $(seq 100); do
  [ -s "$WORK/live" ] && break
  sleep 0.05
done
address=$(cut -d ' ' -f 1 "$WORK/live")
port=${address##*:}
port_is_taken() {
  local said
  said=$("$footfall" view --live scenes/solo-stand.yaml --no-open --port "${port%/}" 2>&1) && return 1
  grep -q 'cannot be used' <<<"$said"
}
check "a port that is taken is refused" port_is_taken
"$node" tests/viewer/page.mjs "$browser" "$pages" "$address" "$footfall" || failed+=("pages in the browser")
ends_cleanly() { kill -INT "$live" && wait "$live"; }
check "Ctrl-C ends a live scene" ends_cleanly
finish
